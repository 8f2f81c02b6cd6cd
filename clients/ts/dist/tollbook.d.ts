import type { Paths } from './paths.js';
/** What a call brought back: the data, and how it was paid for (undefined for a free call). */
export type Bought<T> = {
    data: T;
    settlement: Settlement | undefined;
    contentDigest: string | undefined;
};
export type Settlement = {
    success: boolean;
    transaction: string;
    network: string;
    payer?: string;
    amount?: string;
    extensions?: Record<string, unknown>;
};
/** The terms of a 402. What else stands in it is passed on to the wallet too. */
export type PaymentRequired = {
    x402Version: number;
    resource: {
        url: string;
    };
    accepts: {
        scheme: string;
        network: `${string}:${string}`;
        asset: string;
        amount: string;
        payTo: string;
        maxTimeoutSeconds: number;
        extra: Record<string, unknown>;
    }[];
};
/** Any `x402Client` of @x402/fetch or @x402/core. Described by what is used of it, so that no version of them is imposed. */
export type Wallet = {
    createPaymentPayload(paymentRequired: PaymentRequired): Promise<object>;
};
/** What happens on the way, for those who want to show it. */
export type Step = {
    step: 'challenge';
    paymentRequired: PaymentRequired;
} | {
    step: 'payment';
    header: string;
} | {
    step: 'retry';
    status: number | undefined;
    reason: string | undefined;
    afterMs: number;
} | {
    step: 'settled';
    settlement: Settlement;
};
export type TollbookOptions = {
    baseUrl: string;
    /** Signs payments; its spend controls apply. Without it only free calls work. */
    wallet?: Wallet;
    fetch?: typeof fetch;
    /** How long one payment is presented again before giving up; no request is waited for any longer. */
    patienceMs?: number;
    onStep?: (step: Step) => void;
};
export declare class TollbookError extends Error {
    readonly status: number;
    readonly body: unknown;
    /** The payment that may still settle: present it again, do not sign another. */
    readonly payment: string | undefined;
    constructor(message: string, status: number, body: unknown, payment?: string);
}
export type Tollbook = {
    /** `payment` presents an earlier payment for the same request: its stored reply, or where it stands. */
    get<P extends keyof Paths>(path: P, options?: {
        payment?: string;
    }): Promise<Bought<Paths[P]>>;
};
/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export declare function createTollbook(options: TollbookOptions): Tollbook;
