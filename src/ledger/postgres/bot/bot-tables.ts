import { TEXT } from '../basic-tables.ts'
import { forbids, keeps, neverRemoved, onlyAdded } from '../guards.ts'
import { CONTROLS } from './control-tables.ts'
import { BROKER, direction, fillColumns, SEQ, SIDE } from './shared-columns.ts'

/** `is_unsettled`: open, or took something, and its market has no trade row. Written with every change of a market. */
const ORDERS = `
  CREATE TABLE bot_orders (
    ${SEQ},
    client_order_id ${TEXT} NOT NULL UNIQUE,
    ${BROKER},
    origin ${TEXT} NOT NULL CHECK (origin IN ('round', 'operator', 'boss')),
    made_by ${TEXT} NOT NULL,
    coin ${TEXT} NOT NULL,
    window_start_s bigint NOT NULL,
    condition_id ${TEXT} NOT NULL,
    token_id ${TEXT} NOT NULL,
    ${direction('outcome')},
    ${SIDE},
    price_e4 bigint NOT NULL CHECK (price_e4 BETWEEN 1 AND 9999),
    tick_e4 bigint NOT NULL CHECK (tick_e4 > 0),
    spend_e6 bigint CHECK (spend_e6 > 0),
    shares_e6 bigint CHECK (shares_e6 > 0),
    max_fee_e6 bigint NOT NULL CHECK (max_fee_e6 >= 0),
    fee_rate double precision,
    fee_exponent double precision,
    created_ms bigint NOT NULL,
    state ${TEXT} NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
    order_id ${TEXT},
    accepted_ms bigint,
    closed_ms bigint,
    note ${TEXT},
    is_unsettled boolean NOT NULL DEFAULT true,
    CHECK ((side = 'BUY') = (spend_e6 IS NOT NULL)),
    CHECK ((side = 'SELL') = (shares_e6 IS NOT NULL)),
    CHECK ((fee_rate IS NULL) = (fee_exponent IS NULL)),
    CHECK ((state = 'closed') = (closed_ms IS NOT NULL)),
    CHECK (note IS NULL OR state = 'closed')
  );
  CREATE UNIQUE INDEX bot_orders_named ON bot_orders (broker, order_id) WHERE order_id IS NOT NULL;
  CREATE INDEX bot_orders_open ON bot_orders (seq) WHERE state = 'open';
  CREATE INDEX bot_orders_window ON bot_orders (window_start_s, coin);
  CREATE INDEX bot_orders_created ON bot_orders (created_ms, seq);
  CREATE INDEX bot_orders_market ON bot_orders (broker, condition_id);
  CREATE INDEX bot_orders_unsettled ON bot_orders (broker, condition_id) WHERE is_unsettled;
  ${neverRemoved('bot_orders')}
  ${keeps('bot_orders', [
    'seq',
    'client_order_id',
    'broker',
    'origin',
    'made_by',
    'coin',
    'window_start_s',
    'condition_id',
    'token_id',
    'outcome',
    'side',
    'price_e4',
    'tick_e4',
    'spend_e6',
    'shares_e6',
    'max_fee_e6',
    'fee_rate',
    'fee_exponent',
    'created_ms',
  ])}
  ${forbids(
    'bot_orders',
    'move_forward',
    `OLD.state = 'closed' AND (NEW.state, NEW.closed_ms, NEW.note) IS DISTINCT FROM (OLD.state, OLD.closed_ms, OLD.note)`,
  )}
  ${forbids(
    'bot_orders',
    'keep_their_acceptance',
    'OLD.accepted_ms IS NOT NULL AND NEW.accepted_ms IS DISTINCT FROM OLD.accepted_ms',
  )}
  ${forbids('bot_orders', 'keep_their_id', 'OLD.order_id IS NOT NULL AND NEW.order_id IS DISTINCT FROM OLD.order_id')}
`

const FILLS = `
  CREATE TABLE bot_fills (${fillColumns('bot_orders')}
  );
  CREATE INDEX bot_fills_matched ON bot_fills (order_seq) WHERE state = 'matched';
  ${neverRemoved('bot_fills')}
  ${keeps('bot_fills', ['seq', 'order_seq', 'trade_id', 'price_e6', 'shares_e6', 'notional_e6', 'fee_e6', 'at_ms'])}
  ${forbids('bot_fills', 'move_forward', `OLD.state <> 'matched' AND NEW.state <> OLD.state`)}
  ${forbids(
    'bot_fills',
    'keep_their_hash',
    `OLD.state <> 'matched' AND OLD.transaction_hash IS NOT NULL AND NEW.transaction_hash IS DISTINCT FROM OLD.transaction_hash`,
  )}
`

/** `redeemable_e6`: shares that pay something and that nobody has redeemed. Written with every change of a market. */
const TRADES = `
  CREATE TABLE bot_resolutions (
    window_start_s bigint NOT NULL,
    coin ${TEXT} NOT NULL,
    condition_id ${TEXT} NOT NULL,
    ${direction('outcome')},
    payout_up_e6 bigint NOT NULL CHECK (payout_up_e6 BETWEEN 0 AND 1000000),
    at_ms bigint NOT NULL,
    PRIMARY KEY (window_start_s, coin)
  );
  ${onlyAdded('bot_resolutions')}
  CREATE TABLE bot_trades (
    ${BROKER},
    condition_id ${TEXT} NOT NULL,
    coin ${TEXT} NOT NULL,
    window_start_s bigint NOT NULL,
    ${direction('direction')},
    ${direction('outcome')},
    origin ${TEXT} NOT NULL CHECK (origin IN ('round', 'operator', 'boss', 'mixed')),
    confidence double precision,
    bought_shares_e6 bigint NOT NULL CHECK (bought_shares_e6 >= 0),
    cost_e6 bigint NOT NULL CHECK (cost_e6 >= 0),
    fees_e6 bigint NOT NULL CHECK (fees_e6 >= 0),
    collected_e6 bigint NOT NULL CHECK (collected_e6 >= 0),
    profit_e6 bigint NOT NULL,
    round_profit_e6 bigint,
    opened_ms bigint NOT NULL,
    resolved_ms bigint NOT NULL,
    breaker_seq bigint NOT NULL,
    redeemable_e6 bigint NOT NULL DEFAULT 0 CHECK (redeemable_e6 >= 0),
    PRIMARY KEY (broker, condition_id),
    CHECK (profit_e6 = collected_e6 - cost_e6 - fees_e6)
  );
  CREATE INDEX bot_trades_window ON bot_trades (window_start_s, coin, broker, condition_id);
  CREATE INDEX bot_trades_broker ON bot_trades (broker, window_start_s, coin, condition_id);
  CREATE INDEX bot_trades_redeemable ON bot_trades (broker, window_start_s, coin, condition_id) WHERE redeemable_e6 > 0;
  ${neverRemoved('bot_trades')}
  ${keeps('bot_trades', ['broker', 'condition_id', 'coin', 'window_start_s', 'outcome', 'resolved_ms', 'breaker_seq'])}
  CREATE TABLE bot_redemptions (
    ${SEQ},
    ${BROKER},
    condition_id ${TEXT} NOT NULL,
    state ${TEXT} NOT NULL CHECK (state IN ('planned', 'done')),
    shares_e6 bigint NOT NULL CHECK (shares_e6 >= 0),
    amount_e6 bigint NOT NULL CHECK (amount_e6 >= 0),
    transaction_hash ${TEXT},
    at_ms bigint NOT NULL,
    UNIQUE (broker, condition_id),
    CHECK (state = 'done' OR (amount_e6 = 0 AND transaction_hash IS NULL))
  );
  CREATE INDEX bot_redemptions_broker ON bot_redemptions (broker, seq);
  ${neverRemoved('bot_redemptions')}
  ${keeps('bot_redemptions', ['seq', 'broker', 'condition_id'])}
  ${forbids('bot_redemptions', 'move_forward', `OLD.state = 'done' AND (NEW.state <> 'done' OR NEW.amount_e6 <= OLD.amount_e6)`)}
`

/** Holds nothing: who has it locked is the one who writes. */
const TURN = 'CREATE TABLE bot_turn ();'

export const BOT = ORDERS + FILLS + TRADES + CONTROLS + TURN
