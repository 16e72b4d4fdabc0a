"""What is on the wire, told to others: its page for people (page.py) and its types for the client (typescript.py)."""
