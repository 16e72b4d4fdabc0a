-- Takes members whose score has passed and puts them off, so that no second worker does the same work meanwhile.
-- Should the taker die, they are due again by themselves.
-- KEYS: a sorted set. ARGV: 1 now in ms · 2 put off until · 3 how many at the most · 4 only this member (optional)
local due
if ARGV[4] then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[4])
  due = score and tonumber(score) <= tonumber(ARGV[1]) and {ARGV[4]} or {}
else
  due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
end
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], member)
end
return due
