import { TEXT } from '../basic-tables.ts'
import { onlyAdded } from '../guards.ts'
import { fillColumns, SEQ, SIDE } from './shared-columns.ts'

const TABLES = `
  CREATE TABLE paper_orders (
    ${SEQ},
    client_order_id ${TEXT} NOT NULL UNIQUE,
    order_id ${TEXT} NOT NULL,
    condition_id ${TEXT} NOT NULL,
    token_id ${TEXT} NOT NULL,
    ${SIDE},
    at_ms bigint NOT NULL
  );
  CREATE INDEX paper_orders_at ON paper_orders (at_ms, seq);
  CREATE TABLE paper_fills (${fillColumns('paper_orders')}
  );
  CREATE TABLE paper_payouts (
    ${SEQ},
    condition_id ${TEXT} NOT NULL,
    token_id ${TEXT} NOT NULL UNIQUE,
    shares_e6 bigint NOT NULL CHECK (shares_e6 >= 0),
    amount_e6 bigint NOT NULL CHECK (amount_e6 >= 0),
    at_ms bigint NOT NULL
  );
  CREATE TABLE paper_cash (one integer PRIMARY KEY CHECK (one = 1), flow_e6 bigint NOT NULL);
  INSERT INTO paper_cash VALUES (1, 0);
  CREATE TABLE paper_holdings (
    token_id ${TEXT} PRIMARY KEY,
    condition_id ${TEXT} NOT NULL,
    shares_e6 bigint NOT NULL CHECK (shares_e6 >= 0)
  );
  CREATE INDEX paper_holdings_held ON paper_holdings (token_id) WHERE shares_e6 > 0;
  ${onlyAdded('paper_orders')}
  ${onlyAdded('paper_fills')}
  ${onlyAdded('paper_payouts')}
`

/** Each begins with the cash, so that they wait for each other there and in no other order. */
const COUNTED = `
  CREATE FUNCTION take_paper_shares(token text, shares bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE paper_holdings SET shares_e6 = shares_e6 - shares WHERE token_id = token AND shares_e6 >= shares;
    IF NOT FOUND AND shares > 0 THEN
      RAISE EXCEPTION 'there are not that many shares' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END $$;
  CREATE FUNCTION count_paper_fill() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE filled paper_orders;
  BEGIN
    SELECT * INTO STRICT filled FROM paper_orders WHERE seq = NEW.order_seq;
    IF filled.side = 'BUY' THEN
      UPDATE paper_cash SET flow_e6 = flow_e6 - NEW.notional_e6 - NEW.fee_e6;
      INSERT INTO paper_holdings (token_id, condition_id, shares_e6)
        VALUES (filled.token_id, filled.condition_id, NEW.shares_e6)
        ON CONFLICT (token_id) DO UPDATE SET shares_e6 = paper_holdings.shares_e6 + excluded.shares_e6;
    ELSE
      UPDATE paper_cash SET flow_e6 = flow_e6 + NEW.notional_e6 - NEW.fee_e6;
      PERFORM take_paper_shares(filled.token_id, NEW.shares_e6);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER paper_filled AFTER INSERT ON paper_fills
  FOR EACH ROW WHEN (NEW.state <> 'failed') EXECUTE FUNCTION count_paper_fill();
  CREATE FUNCTION count_paper_payout() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE paper_cash SET flow_e6 = flow_e6 + NEW.amount_e6;
    PERFORM take_paper_shares(NEW.token_id, NEW.shares_e6);
    RETURN NULL;
  END $$;
  CREATE TRIGGER paper_paid AFTER INSERT ON paper_payouts FOR EACH ROW EXECUTE FUNCTION count_paper_payout();
`

/**
 * Cash and shares are kept up to date by triggers on rows that never change, so they cannot drift from them; adding up
 * every fill of years at each order would be slow. The CHECK on shares makes a short sale impossible.
 */
export const PAPER = TABLES + COUNTED
