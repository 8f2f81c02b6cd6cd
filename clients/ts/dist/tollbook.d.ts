import { type BoundOptions } from './bounds.js';
import { type Step } from './call.js';
import type { Path, Reply } from './paths.js';
import { type Bought } from './reply.js';
import { type Wallet } from './x402.js';
export { type DollarToken, USDC } from './bounds.js';
export type { Step } from './call.js';
export type * from './paths.js';
export type { Bought } from './reply.js';
export { type SignedIn, type SignInOptions, signIn } from './sign-in.js';
export { type FailureKind, TollbookError } from './tollbook-error.js';
export type { Offer, PaymentRequired, Settlement, Wallet } from './x402.js';
export type TollbookOptions = BoundOptions & {
    /** Signs payments; its own spend controls apply too. Without it only free calls work. */
    wallet?: Wallet;
    /** Of a holder, from `signIn`: sent as `Authorization: Bearer`, calls then count against the allowance. */
    token?: string;
    fetch?: typeof fetch;
    /** How long one payment is presented again before giving up, 90 s by default; no request is waited for any longer. */
    patienceMs?: number;
    /** How long one request is waited for, 30 s by default. */
    requestMs?: number;
    onStep?: (step: Step) => void;
};
export type GetOptions = {
    /** Presents an earlier payment for the same request: its stored reply, or where it stands. Nothing is signed. */
    payment?: string;
    /** The most that this call may cost, in dollars, instead of the client's. */
    maxPriceUsd?: number;
    /** Of your own, 16 to 128 letters, digits, `-` and `_`: the service sells once under it, however often it is asked. */
    purchaseId?: string;
    signal?: AbortSignal;
};
export type Tollbook = {
    get<P extends Path>(path: P, options?: GetOptions): Promise<Bought<Reply<P>>>;
};
/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export declare function createTollbook(options: TollbookOptions): Tollbook;
