"""Money: the ledger, balances and settling up."""
