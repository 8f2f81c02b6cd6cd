import { TollbookError } from './tollbook-error.js';
import type { PaymentRequired, Settlement } from './x402.js';
/** What happens on the way, for those who want to show it or keep it. */
export type Step = {
    step: 'challenge';
    paymentRequired: PaymentRequired;
}
/** Told before the payment is sent: who keeps `header` can present it again after a crash. */
 | {
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
/** One call with what it may take. */
export type Call = {
    send: typeof fetch;
    headers: Record<string, string>;
    requestMs: number;
    patienceMs: number;
    signal: AbortSignal | undefined;
    onStep: (step: Step) => void;
};
/** For one request: ends when the caller wants it or the time is up. That holds for the body too. */
export declare function signalOf({ signal, requestMs }: Call, patienceLeftMs: number): AbortSignal;
export declare function aborted({ signal }: Call, payment?: string): TollbookError;
export declare const elsewhere: (url: string) => string;
