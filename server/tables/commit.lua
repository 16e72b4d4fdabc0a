-- One change of one table: compare-and-set on its revision, and in the same step its deadline, its lobby row, what
-- waits for the archive, its place among the tables of its game, and the news of it.
-- KEYS: table, due, lobby, done, tables of the game. All carry the same shard; news are published under the names of
-- table and lobby.
-- ARGV: 1 expected revision ('' creates) · 2 new revision ('' deletes) · 3 record · 4 life in ms · 5 table id
--       6 due in ms ('' none) · 7 lobby row ('' none, '=' as before) · 8 events as JSON
--       9 how many subscriptions to the table are the committer's own · 10 … pairs of name and payload for the archive
-- Answers {1}, or {0, revision, record} of what lies there instead, {0} if nothing does.
local found = redis.call('HGET', KEYS[1], 'rev')
if (found or '') ~= ARGV[1] then
  if not found then return {0} end
  return {0, found, redis.call('HGET', KEYS[1], 'record')}
end
for i = 10, #ARGV, 2 do
  redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
end
local gone = ARGV[2] == ''
if gone then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[5], ARGV[5])
else
  redis.call('HSET', KEYS[1], 'rev', ARGV[2], 'record', ARGV[3])
  -- Not with every move: what is written goes into the log of the store, too.
  if redis.call('PTTL', KEYS[1]) < ARGV[4] * 0.98 then
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('ZADD', KEYS[5], redis.call('TIME')[1] * 1000 + ARGV[4], ARGV[5])
  end
end
if gone or ARGV[6] == '' then
  redis.call('ZREM', KEYS[2], ARGV[5])
else
  redis.call('ZADD', KEYS[2], ARGV[6], ARGV[5])
end
if gone or ARGV[7] == '' then
  if redis.call('HDEL', KEYS[3], ARGV[5]) == 1 then
    redis.call('SPUBLISH', KEYS[3], '-' .. ARGV[5])
  end
elseif ARGV[7] ~= '=' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[7])
  redis.call('SPUBLISH', KEYS[3], '+' .. ARGV[7])
end
-- The committer has told its own people; where nobody else listens, a copy of the record need not be made.
if redis.call('PUBSUB', 'SHARDNUMSUB', KEYS[1])[2] > tonumber(ARGV[9]) then
  local news = gone and '' or '{"rev":"' .. ARGV[2] .. '","events":' .. ARGV[8] .. ',"table":' .. ARGV[3] .. '}'
  redis.call('SPUBLISH', KEYS[1], news)
end
return {1}
