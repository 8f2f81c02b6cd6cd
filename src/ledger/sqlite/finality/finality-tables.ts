import { DAY_MS } from '../../../core/time/time.ts'
import { forbids, keeps, neverRemoved } from '../guards.ts'

/** What an earlier release settled is looked at again from so long before its last sale on. */
const LOOK_BACK_MS = DAY_MS

const MARKS = `
  CREATE TABLE finality_marks (
    network TEXT PRIMARY KEY,
    settled_at_ms INTEGER NOT NULL,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO finality_marks
    SELECT network, max(last_ms) - ${LOOK_BACK_MS}, 0 FROM sales_kinds GROUP BY network;
`

const MOVES = "('unseen open', 'unseen paid', 'unseen lost', 'open paid', 'open lost')"

/** Beside the payments, which never move backward. Only what a chain took back is here, so it stays small. */
const UNDONE = `
  CREATE TABLE undone_payments (
    payment INTEGER PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    state TEXT NOT NULL CHECK (state IN ('unseen', 'open', 'paid', 'lost')),
    found_at_ms INTEGER NOT NULL,
    new_tx TEXT,
    decided_at_ms INTEGER,
    CHECK ((state = 'paid') = (new_tx IS NOT NULL)),
    CHECK ((state IN ('paid', 'lost')) = (decided_at_ms IS NOT NULL))
  ) STRICT;
  CREATE INDEX undone_payments_undecided ON undone_payments (payment) WHERE state IN ('unseen', 'open');
  CREATE INDEX undone_payments_lost ON undone_payments (payment) WHERE state = 'lost';
  CREATE INDEX undone_payments_found ON undone_payments (found_at_ms);
  CREATE TRIGGER undone_payments_settled BEFORE INSERT ON undone_payments
  WHEN (SELECT state FROM payments WHERE seq = NEW.payment) IS NOT 'settled'
  BEGIN SELECT RAISE(ABORT, 'only a settled payment can be undone'); END;
  ${neverRemoved('undone_payments', 'payment')}
  ${keeps('undone_payments', ['payment', 'found_at_ms'])}
  ${forbids('undone_payments', 'move_forward', `(OLD.state || ' ' || NEW.state) NOT IN ${MOVES}`)}
`

/** Transactions that facilitators named for payments that nobody waits for any more. */
const HINTS = `
  CREATE TABLE settle_hints (
    payment INTEGER PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    tx TEXT NOT NULL
  ) STRICT;
`

export const FINALITY = MARKS + UNDONE + HINTS

/** Numbers of payments that a chain took back for good: none of them is revenue. */
export const LOST = "SELECT payment FROM undone_payments INDEXED BY undone_payments_lost WHERE state = 'lost'"
