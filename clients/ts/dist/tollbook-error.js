export class TollbookError extends Error {
    kind;
    /** Of the last answer; 0 where there was none. */
    status;
    body;
    /** The payment that may still settle: present it again, do not sign another. */
    payment;
    /** How long the service asks to wait. */
    retryAfterMs;
    constructor(message, { kind, status = 0, body, payment, retryAfterMs, cause }) {
        super(message, cause === undefined ? {} : { cause });
        this.name = 'TollbookError';
        this.kind = kind;
        this.status = status;
        this.body = body;
        this.payment = payment;
        this.retryAfterMs = retryAfterMs;
    }
}
