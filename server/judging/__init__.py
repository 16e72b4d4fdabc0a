"""Tools around the rules: case files judged, hands played at random and checked, records replayed, the commands for it.

Above the pure part: they read files, print, and let the house's bots play.
"""
