/** One price of an order book. */
export type Level = readonly [price: number, size: number]
