-- Takes a member out of a sorted set, unless its score has changed since it was claimed (claim.lua): a lease that ran
-- out may have been given anew meanwhile, and a seat must never hold a connection that no lease stands for.
-- KEYS: a sorted set. ARGV: 1 member · 2 the score that the claim gave it
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) == tonumber(ARGV[2]) then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
