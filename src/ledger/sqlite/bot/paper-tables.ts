import { onlyAdded } from '../guards.ts'

/**
 * Cash and shares are kept up to date by triggers on rows that never change, so they cannot drift from them; adding up
 * every fill of years at each order would be slow. The CHECK on shares makes a short sale impossible.
 */
export const PAPER = `
  CREATE TABLE paper_orders (
    seq INTEGER PRIMARY KEY,
    client_order_id TEXT NOT NULL UNIQUE,
    order_id TEXT NOT NULL,
    condition_id TEXT NOT NULL,
    token_id TEXT NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('BUY', 'SELL')),
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX paper_orders_at ON paper_orders (at_ms);
  CREATE TABLE paper_fills (
    seq INTEGER PRIMARY KEY,
    order_seq INTEGER NOT NULL REFERENCES paper_orders (seq) ON DELETE RESTRICT,
    trade_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('matched', 'confirmed', 'failed')),
    price_e6 INTEGER NOT NULL CHECK (price_e6 >= 0),
    shares_e6 INTEGER NOT NULL CHECK (shares_e6 > 0),
    notional_e6 INTEGER NOT NULL CHECK (notional_e6 >= 0),
    fee_e6 INTEGER NOT NULL CHECK (fee_e6 >= 0),
    at_ms INTEGER NOT NULL,
    transaction_hash TEXT,
    UNIQUE (order_seq, trade_id)
  ) STRICT;
  CREATE TABLE paper_payouts (
    seq INTEGER PRIMARY KEY,
    condition_id TEXT NOT NULL,
    token_id TEXT NOT NULL UNIQUE,
    shares_e6 INTEGER NOT NULL CHECK (shares_e6 >= 0),
    amount_e6 INTEGER NOT NULL CHECK (amount_e6 >= 0),
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE paper_cash (one INTEGER PRIMARY KEY CHECK (one = 1), flow_e6 INTEGER NOT NULL) STRICT;
  INSERT INTO paper_cash VALUES (1, 0);
  CREATE TABLE paper_holdings (
    token_id TEXT PRIMARY KEY,
    condition_id TEXT NOT NULL,
    shares_e6 INTEGER NOT NULL CHECK (shares_e6 >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paper_holdings_held ON paper_holdings (token_id) WHERE shares_e6 > 0;
  ${onlyAdded('paper_orders', 'seq', 'client_order_id')}
  ${onlyAdded('paper_fills', 'seq', 'order_seq, trade_id')}
  ${onlyAdded('paper_payouts', 'seq', 'token_id')}
  CREATE TRIGGER paper_bought AFTER INSERT ON paper_fills
  WHEN NEW.state <> 'failed' AND (SELECT side FROM paper_orders WHERE seq = NEW.order_seq) = 'BUY'
  BEGIN
    UPDATE paper_cash SET flow_e6 = flow_e6 - NEW.notional_e6 - NEW.fee_e6;
    INSERT INTO paper_holdings (token_id, condition_id, shares_e6)
      SELECT token_id, condition_id, NEW.shares_e6 FROM paper_orders WHERE seq = NEW.order_seq
      ON CONFLICT (token_id) DO UPDATE SET shares_e6 = shares_e6 + excluded.shares_e6;
  END;
  CREATE TRIGGER paper_sold AFTER INSERT ON paper_fills
  WHEN NEW.state <> 'failed' AND (SELECT side FROM paper_orders WHERE seq = NEW.order_seq) = 'SELL'
  BEGIN
    SELECT RAISE(ABORT, 'there are not that many shares')
    WHERE NEW.shares_e6 > coalesce((SELECT h.shares_e6 FROM paper_holdings h JOIN paper_orders o USING (token_id)
      WHERE o.seq = NEW.order_seq), 0);
    UPDATE paper_cash SET flow_e6 = flow_e6 + NEW.notional_e6 - NEW.fee_e6;
    UPDATE paper_holdings SET shares_e6 = shares_e6 - NEW.shares_e6
    WHERE token_id = (SELECT token_id FROM paper_orders WHERE seq = NEW.order_seq);
  END;
  CREATE TRIGGER paper_paid AFTER INSERT ON paper_payouts
  BEGIN
    SELECT RAISE(ABORT, 'there are not that many shares')
    WHERE NEW.shares_e6 > coalesce((SELECT shares_e6 FROM paper_holdings WHERE token_id = NEW.token_id), 0);
    UPDATE paper_cash SET flow_e6 = flow_e6 + NEW.amount_e6;
    UPDATE paper_holdings SET shares_e6 = shares_e6 - NEW.shares_e6 WHERE token_id = NEW.token_id;
  END;
`
