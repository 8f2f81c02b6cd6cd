import { TollbookError } from "./tollbook-error.js";
/** For one request: ends when the caller wants it or the time is up. That holds for the body too. */
export function signalOf({ signal, requestMs }, patienceLeftMs) {
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(requestMs, patienceLeftMs))));
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
export function aborted({ signal }, payment) {
    const money = payment
        ? 'the payment may have gone through: present it again, do not sign another'
        : 'nothing was paid';
    return new TollbookError(`aborted; ${money}`, { kind: 'aborted', payment, cause: signal?.reason });
}
export const elsewhere = (url) => `redirected to another origin, which no payment is sent to: ${new URL(url).origin}; if you trust it, make it the baseUrl`;
