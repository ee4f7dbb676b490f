"""The languages that programs are written in: one table, read by every member that has to know one."""
