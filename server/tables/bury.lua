-- A table whose record has expired leaves its deadline and its lobby row behind; unless it is there after all.
-- KEYS: table, due, lobby. ARGV: 1 table id · 2 channel of the lobby
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('SPUBLISH', ARGV[2], '-' .. ARGV[1])
end
return 1
