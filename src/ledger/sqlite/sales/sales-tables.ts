import { DAY_MS } from '../../../core/time/time.ts'

/** A sum is kept in two halves: whole amounts would overflow 63 bits after ten of the largest. */
export const HALF = 1_000_000_000n

const SUM_COLUMNS = `
    sales INTEGER NOT NULL CHECK (sales > 0),
    high INTEGER NOT NULL,
    low INTEGER NOT NULL`
const TIME_COLUMNS = `
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL`

const dayOf = (row: string) => `${row}.settled_at_ms / ${DAY_MS}`
const sumsOf = (row: string) => `1, ${row}.atomic / ${HALF}, ${row}.atomic % ${HALF}`

/** What the settled rows add up to, in the columns of the tables below. */
export const SETTLED_SUMS = `count(*) AS sales, sum(atomic / ${HALF}) AS high, sum(atomic % ${HALF}) AS low`
export const SETTLED_TIMES = 'min(settled_at_ms) AS first_ms, max(settled_at_ms) AS last_ms'
export const SETTLED_DAY = `settled_at_ms / ${DAY_MS}`

/**
 * What reports read in place of the payments: sums of settled rows, by kind and by payer, each of all time and of every
 * UTC day. Nothing is ever taken out, so the largest id of a payer is the number of payers.
 */
const TABLES = `
  CREATE TABLE sales_kinds (
    id INTEGER PRIMARY KEY,
    network TEXT NOT NULL,
    asset TEXT NOT NULL,
    product_id TEXT NOT NULL,${SUM_COLUMNS},
    last_ms INTEGER NOT NULL,
    UNIQUE (network, asset, product_id)
  ) STRICT;
  CREATE TABLE sales_days (
    day INTEGER NOT NULL,
    kind INTEGER NOT NULL,${SUM_COLUMNS},
    PRIMARY KEY (day, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sales_payers (
    id INTEGER PRIMARY KEY,
    payer TEXT NOT NULL UNIQUE,${SUM_COLUMNS},${TIME_COLUMNS}
  ) STRICT;
  CREATE INDEX sales_payers_any_case ON sales_payers (lower(payer));
  CREATE TABLE sales_payer_days (
    day INTEGER NOT NULL,
    payer INTEGER NOT NULL,
    kind INTEGER NOT NULL,${SUM_COLUMNS},${TIME_COLUMNS},
    PRIMARY KEY (day, payer, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER sales_payers_stay BEFORE DELETE ON sales_payers
  BEGIN SELECT RAISE(ABORT, 'payers are only added'); END;
`

/** The sums of the rows that are there. */
const FILL = `
  INSERT INTO sales_kinds (network, asset, product_id, sales, high, low, last_ms)
    SELECT network, asset, product_id, ${SETTLED_SUMS}, max(settled_at_ms) FROM payments WHERE state = 'settled'
    GROUP BY 1, 2, 3;
  INSERT INTO sales_payers (payer, sales, high, low, first_ms, last_ms)
    SELECT payer, ${SETTLED_SUMS}, ${SETTLED_TIMES} FROM payments WHERE state = 'settled' GROUP BY payer;
  INSERT INTO sales_payer_days
    SELECT ${SETTLED_DAY}, y.id, k.id, ${SETTLED_SUMS}, ${SETTLED_TIMES}
    FROM payments p CROSS JOIN sales_payers y USING (payer) CROSS JOIN sales_kinds k USING (network, asset, product_id)
    WHERE p.state = 'settled' GROUP BY 1, 2, 3;
  INSERT INTO sales_days
    SELECT day, kind, sum(sales), sum(high), sum(low) FROM sales_payer_days GROUP BY day, kind;
`

const ADD = 'sales = sales + 1, high = high + excluded.high, low = low + excluded.low'
const LATER = 'last_ms = max(last_ms, excluded.last_ms)'
const WIDEN = `first_ms = min(first_ms, excluded.first_ms), ${LATER}`
const KIND = `(SELECT id FROM sales_kinds WHERE network = NEW.network AND asset = NEW.asset AND product_id = NEW.product_id)`
const PAYER = '(SELECT id FROM sales_payers WHERE payer = NEW.payer)'
const AT = 'NEW.settled_at_ms'

/**
 * A trigger, so that a row and its sums are one write whoever settles it, also one that was void. A settled row never
 * changes (`payments_move_forward`), so none is counted twice.
 */
const COUNT = `
  CREATE TRIGGER payments_counted AFTER UPDATE OF state ON payments
  WHEN NEW.state = 'settled' AND OLD.state <> 'settled'
  BEGIN
    INSERT INTO sales_kinds (network, asset, product_id, sales, high, low, last_ms)
      VALUES (NEW.network, NEW.asset, NEW.product_id, ${sumsOf('NEW')}, ${AT})
      ON CONFLICT (network, asset, product_id) DO UPDATE SET ${ADD}, ${LATER};
    INSERT INTO sales_payers (payer, sales, high, low, first_ms, last_ms)
      VALUES (NEW.payer, ${sumsOf('NEW')}, ${AT}, ${AT})
      ON CONFLICT (payer) DO UPDATE SET ${ADD}, ${WIDEN};
    INSERT INTO sales_days VALUES (${dayOf('NEW')}, ${KIND}, ${sumsOf('NEW')})
      ON CONFLICT DO UPDATE SET ${ADD};
    INSERT INTO sales_payer_days VALUES (${dayOf('NEW')}, ${PAYER}, ${KIND}, ${sumsOf('NEW')}, ${AT}, ${AT})
      ON CONFLICT DO UPDATE SET ${ADD}, ${WIDEN};
  END;
`

/** The indexes had every column that a report sums; now they only find rows. */
const INDEXES = `
  DROP INDEX payments_settled;
  DROP INDEX payments_payer;
  CREATE INDEX payments_settled ON payments (settled_at_ms) WHERE state = 'settled';
  CREATE INDEX payments_payer ON payments (payer, settled_at_ms) WHERE state = 'settled';
`

export const SALES = TABLES + FILL + COUNT + INDEXES
