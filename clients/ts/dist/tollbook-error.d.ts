/**
 * - `unreachable`: no whole answer came, and nothing was signed.
 * - `terms`: the 402 asks for what the options do not allow, or cannot be read; nothing was signed.
 * - `refused`: the service answered 402 to the payment and says that nothing was charged. No other one was signed.
 * - `undecided`: nobody has said whether the payment went through. Present it again, do not sign another.
 * - `redirected`: the service sends to where no payment is sent.
 * - `aborted`: the caller's signal. With a `payment`, that one may have gone through.
 * - `failed`: the service said why there is no reply; `status` and `body` have it.
 */
export type FailureKind = 'unreachable' | 'terms' | 'refused' | 'undecided' | 'redirected' | 'aborted' | 'failed';
type Facts = {
    kind: FailureKind;
    status?: number;
    body?: unknown;
    payment?: string | undefined;
    retryAfterMs?: number | undefined;
    cause?: unknown;
};
export declare class TollbookError extends Error {
    readonly kind: FailureKind;
    /** Of the last answer; 0 where there was none. */
    readonly status: number;
    readonly body: unknown;
    /** The payment that may still settle: present it again, do not sign another. */
    readonly payment: string | undefined;
    /** How long the service asks to wait. */
    readonly retryAfterMs: number | undefined;
    constructor(message: string, { kind, status, body, payment, retryAfterMs, cause }: Facts);
}
export {};
