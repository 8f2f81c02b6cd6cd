import { TEXT } from '../basic-tables.ts'
import { forbids, keeps, neverRemoved } from '../guards.ts'

const MOVES = "('unseen open', 'unseen paid', 'unseen lost', 'open paid', 'open lost')"

/** Beside the payments, which never move backward. Only what a chain took back is here, so it stays small. */
export const FINALITY = `
  CREATE TABLE finality_marks (
    network ${TEXT} PRIMARY KEY,
    settled_at_ms bigint NOT NULL,
    seq bigint NOT NULL
  );
  CREATE TABLE undone_payments (
    payment bigint PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    state ${TEXT} NOT NULL CHECK (state IN ('unseen', 'open', 'paid', 'lost')),
    found_at_ms bigint NOT NULL,
    new_tx ${TEXT},
    decided_at_ms bigint,
    CHECK ((state = 'paid') = (new_tx IS NOT NULL)),
    CHECK ((state IN ('paid', 'lost')) = (decided_at_ms IS NOT NULL))
  );
  CREATE INDEX undone_payments_undecided ON undone_payments (payment) WHERE state IN ('unseen', 'open');
  CREATE INDEX undone_payments_lost ON undone_payments (payment) WHERE state = 'lost';
  CREATE INDEX undone_payments_found ON undone_payments (found_at_ms);
  CREATE FUNCTION only_settled() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM payments WHERE seq = NEW.payment AND state = 'settled') THEN
      RAISE EXCEPTION 'only a settled payment can be undone' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER undone_payments_settled BEFORE INSERT ON undone_payments
  FOR EACH ROW EXECUTE FUNCTION only_settled();
  ${neverRemoved('undone_payments')}
  ${keeps('undone_payments', ['payment', 'found_at_ms'])}
  ${forbids('undone_payments', 'move_forward', `OLD.state || ' ' || NEW.state NOT IN ${MOVES}`)}
  CREATE TABLE settle_hints (
    payment bigint PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    tx ${TEXT} NOT NULL
  );
`
