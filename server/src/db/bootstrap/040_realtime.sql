-- Realtime: see server/src/realtime.
create schema if not exists realtime;
