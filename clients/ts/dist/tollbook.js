export class TollbookError extends Error {
    status;
    body;
    /** The payment that may still settle: present it again, do not sign another. */
    payment;
    constructor(message, status, body, payment) {
        super(message);
        this.name = 'TollbookError';
        this.status = status;
        this.body = body;
        this.payment = payment;
    }
}
const PATIENCE_MS = 60_000;
const DEFAULT_PAUSE_MS = 1_000;
const UNDECIDED = new Set([409, 429, 500, 502, 503, 504]);
/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export function createTollbook(options) {
    const { baseUrl, wallet, fetch: send = fetch } = options;
    return {
        async get(path, { payment } = {}) {
            const url = new URL(path, baseUrl).href;
            if (payment)
                return present(options, url, payment);
            const first = await send(url);
            if (first.status !== 402)
                return read(first, undefined);
            if (!wallet)
                throw new TollbookError('this call must be paid for and no wallet was given', 402, await first.json());
            return present(options, url, await sign(options, wallet, first));
        },
    };
}
async function sign({ onStep }, wallet, reply) {
    const terms = reply.headers.get('payment-required');
    const body = await reply.json();
    if (!terms)
        throw new TollbookError('this 402 does not say how to pay', 402, body);
    const paymentRequired = fromBase64(terms);
    onStep?.({ step: 'challenge', paymentRequired });
    const header = toBase64(await wallet.createPaymentPayload(paymentRequired));
    onStep?.({ step: 'payment', header });
    return header;
}
async function present(options, url, payment) {
    const { fetch: send = fetch, patienceMs = PATIENCE_MS, onStep } = options;
    const untilMs = Date.now() + patienceMs;
    for (;;) {
        const reply = await send(url, { headers: { 'PAYMENT-SIGNATURE': payment } }).catch(() => undefined);
        if (reply?.ok) {
            const bought = await read(reply, payment).catch(() => undefined);
            if (bought) {
                if (bought.settlement)
                    onStep?.({ step: 'settled', settlement: bought.settlement });
                return bought;
            }
        }
        else if (reply && !isUndecided(reply))
            return read(reply, payment);
        const afterMs = pauseOf(reply);
        const body = reply?.bodyUsed ? undefined : await reply?.json().catch(() => undefined);
        const reason = reasonOf(body);
        if (Date.now() + afterMs > untilMs)
            throw undecided(reply?.status, body, payment);
        onStep?.({ step: 'retry', status: reply?.status, reason, afterMs });
        await new Promise((resolve) => setTimeout(resolve, afterMs));
    }
}
/** 409 means under way only while the service asks to come again; a used payment is 409 for good. */
function isUndecided(reply) {
    if (reply.status === 409)
        return reply.headers.has('retry-after');
    return UNDECIDED.has(reply.status);
}
function pauseOf(reply) {
    const seconds = Number(reply?.headers.get('retry-after') ?? Number.NaN);
    return Number.isFinite(seconds) ? seconds * 1000 : DEFAULT_PAUSE_MS;
}
const reasonOf = (body) => body?.detail;
function undecided(status = 0, body, payment) {
    const reason = reasonOf(body) ?? 'no answer';
    const next = 'present the same payment again with get(path, { payment }), do not sign another';
    return new TollbookError(`${reason}; the payment is not decided yet: ${next}`, status, body, payment);
}
async function read(reply, payment) {
    const body = await reply.json();
    if (!reply.ok) {
        const reason = body;
        const message = [reason.error ?? JSON.stringify(reason.detail), reason.hint].filter(Boolean).join('; ');
        throw new TollbookError(message, reply.status, body, reply.status === 402 ? undefined : payment);
    }
    const encoded = reply.headers.get('payment-response');
    return {
        data: body,
        settlement: encoded ? fromBase64(encoded) : undefined,
        contentDigest: reply.headers.get('content-digest') ?? undefined,
    };
}
/** As x402 headers carry JSON: base64 of UTF-8, in browsers too. */
function toBase64(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
function fromBase64(text) {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
}
