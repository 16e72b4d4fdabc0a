"""HTTP: the session, one's own history, health. JSON only."""
