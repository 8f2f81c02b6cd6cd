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
/** The service waits 12 s for the chain at most. */
const REQUEST_MS = 30_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const MAX_REDIRECTS = 3;
const UNDECIDED = new Set([409, 429, 500, 502, 503, 504]);
/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export function createTollbook(options) {
    const { baseUrl, wallet } = options;
    return {
        async get(path, { payment } = {}) {
            const url = new URL(path, baseUrl).href;
            if (payment)
                return present(options, url, payment);
            const first = await ask(options, url);
            if (first.status !== 402)
                return read(first, undefined);
            if (!wallet)
                throw new TollbookError('this call must be paid for and no wallet was given', 402, await bodyOf(first));
            return present(options, first.url || url, await sign(options, wallet, first));
        },
    };
}
/** The call before anything is signed. What another origin asks for is not paid. */
async function ask({ fetch: send = fetch, patienceMs = PATIENCE_MS }, url) {
    const limitMs = Math.min(REQUEST_MS, patienceMs);
    const reply = await send(url, { signal: AbortSignal.timeout(limitMs) }).catch((error) => {
        if (error?.name !== 'TimeoutError')
            throw error;
        throw new TollbookError(`no answer within ${limitMs / 1000} s; nothing was signed`, 0, undefined);
    });
    if (reply.url && new URL(reply.url).origin !== new URL(url).origin)
        throw new TollbookError(elsewhere(reply.url), reply.status, undefined);
    return reply;
}
const elsewhere = (url) => `redirected to another origin, which no payment is sent to: ${new URL(url).origin}; if you trust it, make it the baseUrl`;
async function sign({ onStep }, wallet, reply) {
    const terms = reply.headers.get('payment-required');
    const body = await bodyOf(reply);
    if (!terms)
        throw new TollbookError('this 402 does not say how to pay', 402, body);
    const paymentRequired = fromBase64(terms);
    onStep?.({ step: 'challenge', paymentRequired });
    const header = toBase64(await wallet.createPaymentPayload(paymentRequired));
    onStep?.({ step: 'payment', header });
    return header;
}
async function present(options, url, payment) {
    const { patienceMs = PATIENCE_MS, onStep } = options;
    const untilMs = Date.now() + patienceMs;
    for (;;) {
        const reply = await sendPaid(options, url, payment, untilMs);
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
        const body = reply?.bodyUsed ? undefined : reply && (await bodyOf(reply));
        const reason = reasonOf(body);
        if (Date.now() + afterMs > untilMs)
            throw undecided(reply?.status, body, payment);
        onStep?.({ step: 'retry', status: reply?.status, reason, afterMs });
        await new Promise((resolve) => setTimeout(resolve, afterMs));
    }
}
/** Follows redirects by hand and within the origin: `fetch` would take the payment along to any other. */
async function sendPaid({ fetch: send = fetch }, url, payment, untilMs) {
    let at = url;
    for (let redirects = 0;; redirects++) {
        const limitMs = Math.max(1, Math.min(REQUEST_MS, untilMs - Date.now()));
        const reply = await send(at, {
            headers: { 'PAYMENT-SIGNATURE': payment },
            redirect: 'manual',
            signal: AbortSignal.timeout(limitMs),
        }).catch(() => undefined);
        if (!reply || !isRedirect(reply))
            return reply;
        // A browser does not tell where to.
        const to = new URL(reply.headers.get('location') ?? '', at);
        if (reply.type === 'opaqueredirect' || redirects === MAX_REDIRECTS)
            throw new TollbookError('redirected with a payment: ask for the final address', reply.status, undefined, payment);
        if (to.origin !== new URL(at).origin)
            throw new TollbookError(elsewhere(to.href), reply.status, undefined, payment);
        at = to.href;
    }
}
const isRedirect = ({ type, status }) => type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
/** 409 means under way only while the service asks to come again; a used payment is 409 for good. */
function isUndecided(reply) {
    if (reply.status === 409)
        return reply.headers.has('retry-after');
    return UNDECIDED.has(reply.status);
}
function pauseOf(reply) {
    const seconds = Number(reply?.headers.get('retry-after') ?? Number.NaN);
    return Number.isNaN(seconds) ? MIN_PAUSE_MS : Math.min(Math.max(seconds * 1000, MIN_PAUSE_MS), MAX_PAUSE_MS);
}
/** Undefined where it is no JSON, as a proxy's own pages, or was cut off. */
const bodyOf = (reply) => reply.json().catch(() => undefined);
const reasonOf = (body) => body?.detail;
function undecided(status = 0, body, payment) {
    const reason = reasonOf(body) ?? 'no answer';
    const next = 'present the same payment again with get(path, { payment }), do not sign another';
    return new TollbookError(`${reason}; the payment is not decided yet: ${next}`, status, body, payment);
}
async function read(reply, payment) {
    if (!reply.ok) {
        const body = await bodyOf(reply);
        throw new TollbookError(messageOf(body), reply.status, body, reply.status === 402 ? undefined : payment);
    }
    const body = await reply.json();
    const encoded = reply.headers.get('payment-response');
    return {
        data: body,
        settlement: encoded ? fromBase64(encoded) : undefined,
        contentDigest: reply.headers.get('content-digest') ?? undefined,
    };
}
/** In plain words, whichever of the service's three forms it has. */
function messageOf(body) {
    const { error, detail, hint } = (body ?? {});
    const issues = Array.isArray(detail)
        ? detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ')
        : detail;
    return [error ?? issues ?? 'refused without a reason', hint].filter(Boolean).join('; ');
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
