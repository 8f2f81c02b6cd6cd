import type { PaymentRequired } from './x402.js';
/** A token that is worth a dollar, by its network (CAIP-2) and its contract or mint there. */
export type DollarToken = {
    network: string;
    asset: string;
    decimals: number;
};
export declare const USDC: {
    readonly base: DollarToken;
    readonly solana: DollarToken;
};
/** What a 402 may ask for. All of it comes from the caller, none from the service. */
export type BoundOptions = {
    baseUrl: string;
    /** The most that one call may cost, in dollars; 0.10 by default. */
    maxPriceUsd?: number;
    /** What may be paid with; USDC on Base and on Solana by default. */
    assets?: readonly DollarToken[];
    /** The only addresses that are paid; `first`: on each network the one of its first 402. */
    payTo?: readonly string[] | 'first';
    /** How the service names itself where that is not `baseUrl`, behind a proxy; `any` does not compare. */
    publicUrl?: string;
};
export type Bounds = {
    /** The terms with only the offers that the caller allows. Throws where none is left. */
    allow(terms: PaymentRequired, askedUrl: string, maxPriceUsd?: number): PaymentRequired;
};
export declare function createBounds(options: BoundOptions): Bounds;
