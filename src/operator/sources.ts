/** What our own ledger says of the bot. */
export const BOT_SOURCE = 'bot_ledger'
/** The account at the broker. */
export const BROKER_SOURCE = 'broker'
/** Books of the venue. */
export const BOOK_SOURCE = 'polymarket'
/** What the operator has written here. */
export const OPERATOR_SOURCE = 'operator_ledger'
