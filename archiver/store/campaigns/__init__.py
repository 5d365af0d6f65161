"""Campaigns in the state store: their definitions, queues and relevances."""
