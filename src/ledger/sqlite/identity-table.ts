/** One row. Who may change it is decided before it is written; the mode and the id never change. */
export const IDENTITY = `
  CREATE TABLE ledger_identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ledger_id TEXT NOT NULL CHECK (length(ledger_id) >= 16),
    mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'paper', 'live')),
    pay_to_evm TEXT NOT NULL,
    pay_to_svm TEXT NOT NULL,
    place TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER ledger_identity_stays BEFORE UPDATE ON ledger_identity
  WHEN NEW.ledger_id IS NOT OLD.ledger_id OR NEW.mode IS NOT OLD.mode
  BEGIN SELECT RAISE(ABORT, 'a ledger keeps its id and its mode'); END;
  CREATE TRIGGER ledger_identity_no_delete BEFORE DELETE ON ledger_identity
  BEGIN SELECT RAISE(ABORT, 'a ledger keeps its id and its mode'); END;
  CREATE TRIGGER ledger_identity_once BEFORE INSERT ON ledger_identity
  WHEN EXISTS (SELECT 1 FROM ledger_identity)
  BEGIN SELECT RAISE(ABORT, 'a ledger keeps its id and its mode'); END;
`
