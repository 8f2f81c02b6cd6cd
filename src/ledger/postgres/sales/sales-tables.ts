import { DAY_MS } from '../../../core/time/time.ts'
import { TEXT } from '../basic-tables.ts'
import { neverRemoved } from '../guards.ts'

const SUM_COLUMNS = `
    sales bigint NOT NULL CHECK (sales > 0),
    revenue numeric NOT NULL CHECK (revenue >= 0)`
const TIME_COLUMNS = `
    first_ms bigint NOT NULL,
    last_ms bigint NOT NULL`

/** What settled rows add up to, in the columns of the tables below. */
export const SUMS = 'count(*) AS sales, sum(atomic) AS revenue'
const TIMES = 'min(settled_at_ms) AS first_ms, max(settled_at_ms) AS last_ms'
export const SETTLED_DAY = `settled_at_ms / ${DAY_MS}`

/**
 * What reports read in place of the payments: sums of settled rows, by kind and by payer, each of all time and of every
 * UTC day. Nothing is ever taken out, so the largest id of a payer is the number of payers.
 */
const TABLES = `
  CREATE TABLE sales_kinds (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network ${TEXT} NOT NULL,
    asset ${TEXT} NOT NULL,
    product_id ${TEXT} NOT NULL,${SUM_COLUMNS},
    last_ms bigint NOT NULL,
    UNIQUE (network, asset, product_id)
  );
  CREATE TABLE sales_days (
    day bigint NOT NULL,
    kind integer NOT NULL REFERENCES sales_kinds (id),${SUM_COLUMNS},
    PRIMARY KEY (day, kind)
  );
  CREATE TABLE sales_payers (
    id bigint PRIMARY KEY,
    payer ${TEXT} NOT NULL UNIQUE,${SUM_COLUMNS},${TIME_COLUMNS}
  );
  CREATE INDEX sales_payers_any_case ON sales_payers (lower(payer));
  ${neverRemoved('sales_payers')}
  CREATE TABLE sales_payer_days (
    day bigint NOT NULL,
    payer bigint NOT NULL REFERENCES sales_payers (id),
    kind integer NOT NULL REFERENCES sales_kinds (id),${SUM_COLUMNS},${TIME_COLUMNS},
    PRIMARY KEY (payer, day, kind)
  );
  CREATE INDEX sales_payer_days_day ON sales_payer_days (day);
`

/**
 * A settled payment that is in no sum yet. It is noted with the settlement and counted soon after, many at once: sums
 * that every settlement changed would make every settlement wait for the one before.
 */
const UNCOUNTED = `
  CREATE TABLE uncounted_sales (payment bigint PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT);
  CREATE FUNCTION note_sale() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO uncounted_sales VALUES (NEW.seq); RETURN NULL; END $$;
  CREATE TRIGGER payments_counted AFTER UPDATE OF state ON payments
  FOR EACH ROW WHEN (NEW.state = 'settled' AND OLD.state <> 'settled') EXECUTE FUNCTION note_sale();
`

const add = (table: string) =>
  `sales = ${table}.sales + excluded.sales, revenue = ${table}.revenue + excluded.revenue`
const later = (table: string) => `last_ms = greatest(${table}.last_ms, excluded.last_ms)`
const widen = (table: string) => `first_ms = least(${table}.first_ms, excluded.first_ms), ${later(table)}`

/** One process at a time. Takes `most` payments into the sums and returns how many there were. */
const COUNT = `
  CREATE FUNCTION count_sales(most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE taken bigint[];
  BEGIN
    LOCK TABLE sales_kinds IN EXCLUSIVE MODE;
    WITH gone AS (
      DELETE FROM uncounted_sales
      WHERE payment IN (SELECT payment FROM uncounted_sales ORDER BY payment LIMIT most) RETURNING payment
    )
    SELECT array_agg(payment) INTO taken FROM gone;
    IF taken IS NULL THEN RETURN 0; END IF;
    INSERT INTO sales_kinds (network, asset, product_id, sales, revenue, last_ms)
      SELECT network, asset, product_id, ${SUMS}, max(settled_at_ms) FROM payments WHERE seq = ANY (taken) GROUP BY 1, 2, 3
      ON CONFLICT (network, asset, product_id) DO UPDATE SET ${add('sales_kinds')}, ${later('sales_kinds')};
    INSERT INTO sales_payers (id, payer, sales, revenue, first_ms, last_ms)
      SELECT coalesce(known.id, last.id + row_number() OVER (PARTITION BY known.id IS NULL ORDER BY sold.payer)),
        sold.payer, sold.sales, sold.revenue, sold.first_ms, sold.last_ms
      FROM (SELECT payer, ${SUMS}, ${TIMES} FROM payments WHERE seq = ANY (taken) GROUP BY payer) sold
      LEFT JOIN sales_payers known USING (payer)
      CROSS JOIN (SELECT coalesce(max(id), 0) AS id FROM sales_payers) last
      ON CONFLICT (payer) DO UPDATE SET ${add('sales_payers')}, ${widen('sales_payers')};
    INSERT INTO sales_days (day, kind, sales, revenue)
      SELECT ${SETTLED_DAY}, k.id, count(*), sum(p.atomic)
      FROM payments p JOIN sales_kinds k USING (network, asset, product_id) WHERE p.seq = ANY (taken) GROUP BY 1, 2
      ON CONFLICT (day, kind) DO UPDATE SET ${add('sales_days')};
    INSERT INTO sales_payer_days (day, payer, kind, sales, revenue, first_ms, last_ms)
      SELECT ${SETTLED_DAY}, y.id, k.id, count(*), sum(p.atomic), min(p.settled_at_ms), max(p.settled_at_ms)
      FROM payments p JOIN sales_kinds k USING (network, asset, product_id) JOIN sales_payers y USING (payer)
      WHERE p.seq = ANY (taken) GROUP BY 1, 2, 3
      ON CONFLICT (payer, day, kind) DO UPDATE SET ${add('sales_payer_days')}, ${widen('sales_payer_days')};
    RETURN cardinality(taken);
  END $$;
`

export const SALES = TABLES + UNCOUNTED + COUNT
