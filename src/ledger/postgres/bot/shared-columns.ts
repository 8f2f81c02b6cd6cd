import { TEXT } from '../basic-tables.ts'

export const SEQ = 'seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
export const BROKER = `broker ${TEXT} NOT NULL CHECK (broker IN ('paper', 'polymarket'))`
export const SIDE = `side ${TEXT} NOT NULL CHECK (side IN ('BUY', 'SELL'))`
export const direction = (column: string) => `${column} ${TEXT} NOT NULL CHECK (${column} IN ('UP', 'DOWN'))`

/** A fill of an order of the table `orders`. */
export const fillColumns = (orders: string) => `
    ${SEQ},
    order_seq bigint NOT NULL REFERENCES ${orders} (seq) ON DELETE RESTRICT,
    trade_id ${TEXT} NOT NULL,
    state ${TEXT} NOT NULL CHECK (state IN ('matched', 'confirmed', 'failed')),
    price_e6 bigint NOT NULL CHECK (price_e6 >= 0),
    shares_e6 bigint NOT NULL CHECK (shares_e6 > 0),
    notional_e6 bigint NOT NULL CHECK (notional_e6 >= 0),
    fee_e6 bigint NOT NULL CHECK (fee_e6 >= 0),
    at_ms bigint NOT NULL,
    transaction_hash ${TEXT},
    UNIQUE (order_seq, trade_id)`
