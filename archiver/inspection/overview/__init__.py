"""The archive at a glance: channels, what came day by day, runs, gaps, alarms and drift."""
