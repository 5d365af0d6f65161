"""Tasks of workers on Apache Spark: the same tasks, in the processes of one machine or of a cluster."""
