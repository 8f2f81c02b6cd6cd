import { TEXT } from '../basic-tables.ts'
import { neverEmptied, refuse } from '../guards.ts'

const MOVES = "('claimed claimed', 'claimed settling', 'settling settled', 'settling void', 'void settled')"

/** The code changes states with `UPDATE … WHERE state = …`; the triggers also stop code that forgets the condition. */
export const PAYMENTS = `
  CREATE TABLE payments (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key ${TEXT} NOT NULL UNIQUE,
    id ${TEXT} NOT NULL UNIQUE,
    identifier ${TEXT} UNIQUE,
    state ${TEXT} NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'void')),
    fingerprint ${TEXT} NOT NULL,
    product_id ${TEXT} NOT NULL,
    request ${TEXT} NOT NULL,
    payer ${TEXT} NOT NULL,
    network ${TEXT} NOT NULL,
    asset ${TEXT} NOT NULL,
    amount ${TEXT} NOT NULL CHECK (amount ~ '^(0|[1-9][0-9]{0,17})$'),
    atomic bigint NOT NULL GENERATED ALWAYS AS (amount::bigint) STORED,
    pay_to ${TEXT} NOT NULL,
    payment ${TEXT} NOT NULL,
    claimed_at_ms bigint NOT NULL,
    facilitator ${TEXT},
    tx ${TEXT},
    settled_at_ms bigint,
    receipt ${TEXT},
    revived boolean NOT NULL DEFAULT false,
    CHECK ((state = 'settled') = (tx IS NOT NULL)),
    CHECK ((state = 'settled') = (settled_at_ms IS NOT NULL))
  );
  CREATE INDEX payments_unfinished ON payments (claimed_at_ms) WHERE state IN ('claimed', 'settling');
  CREATE INDEX payments_settled ON payments (settled_at_ms, seq) WHERE state = 'settled';
  CREATE INDEX payments_payer ON payments (payer, settled_at_ms, seq) WHERE state = 'settled';
  CREATE INDEX payments_tx ON payments (lower(tx)) WHERE tx IS NOT NULL;
  CREATE TABLE replies (
    payment bigint PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    text ${TEXT} NOT NULL,
    as_of_ms bigint
  );
  CREATE TABLE payment_turns (
    payment bigint PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    from_ms bigint NOT NULL,
    taken integer NOT NULL
  );
  ${refuse('payments_move_forward', 'UPDATE ON payments', 'a payment only moves forward', `OLD.state || ' ' || NEW.state NOT IN ${MOVES}`)}
  ${refuse('payments_stay', 'DELETE ON payments', 'only a claim can be released', "OLD.state <> 'claimed'")}
  ${neverEmptied('payments')}
`
