import { aborted, elsewhere, signalOf } from "./call.js";
import { bodyOf, failureOf, findRetryAfterMs, readBought } from "./reply.js";
import { TollbookError } from "./tollbook-error.js";
const MIN_PAUSE_MS = 1_000;
const MAX_REDIRECTS = 3;
const COME_AGAIN = new Set([408, 425, 429]);
/** Presents one payment until it is decided or the patience ends. Nothing is signed here. */
export async function present(call, url, payment) {
    try {
        return await presentUntilDecided(call, url, payment);
    }
    catch (error) {
        if (error instanceof TollbookError)
            throw error;
        if (call.signal?.aborted)
            throw aborted(call, payment);
        // Whatever else went wrong: the caller must not lose the payment over it.
        throw undecided({ reason: String(error), payment, cause: error });
    }
}
async function presentUntilDecided(call, url, payment) {
    const untilMs = performance.now() + call.patienceMs;
    for (;;) {
        const reply = await sendPaid(call, url, payment, untilMs);
        if (reply?.ok) {
            const bought = await readBought(reply).catch(() => undefined);
            if (bought?.settlement)
                call.onStep({ step: 'settled', settlement: bought.settlement });
            if (bought)
                return bought;
        }
        else if (reply && !isUndecided(reply))
            throw await failureOf(reply, payment);
        call.signal?.throwIfAborted();
        await pauseAfter(call, reply, payment, untilMs);
    }
}
/** Waits as long as the service asks for; gives up at once where that is longer than the patience. */
async function pauseAfter(call, reply, payment, untilMs) {
    const status = reply?.status;
    const retryAfterMs = reply && findRetryAfterMs(reply);
    const afterMs = Math.max(retryAfterMs ?? 0, MIN_PAUSE_MS);
    const body = reply && !reply.bodyUsed ? await bodyOf(reply) : undefined;
    const reason = reply?.ok ? 'the reply was cut off' : body?.detail;
    if (performance.now() + afterMs > untilMs)
        throw undecided({ reason, status, body, payment, retryAfterMs });
    call.onStep({ step: 'retry', status, reason, afterMs });
    await sleep(afterMs, call.signal);
}
/** Follows redirects by hand and within the origin: `fetch` would take the payment along to any other. */
async function sendPaid(call, url, payment, untilMs) {
    let at = url;
    for (let redirects = 0;; redirects++) {
        const signal = signalOf(call, untilMs - performance.now());
        const headers = { ...call.headers, 'PAYMENT-SIGNATURE': payment };
        const reply = await call.send(at, { headers, redirect: 'manual', signal }).catch(() => undefined);
        call.signal?.throwIfAborted();
        if (!reply || !isRedirect(reply))
            return reply;
        const { status } = reply;
        // A browser does not tell where to.
        const to = new URL(reply.headers.get('location') ?? '', at);
        const isLost = reply.type === 'opaqueredirect' || redirects === MAX_REDIRECTS;
        if (isLost || to.origin !== new URL(at).origin)
            throw new TollbookError(isLost ? 'redirected with a payment: ask for the final address' : elsewhere(to.href), { kind: 'redirected', status, payment });
        at = to.href;
    }
}
const isRedirect = ({ type, status }) => type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
/** 409 means under way only while the service asks to come again; a used payment is 409 for good. */
function isUndecided({ status, headers }) {
    if (status === 409)
        return headers.has('retry-after');
    return status >= 500 || COME_AGAIN.has(status);
}
function undecided({ reason = 'no answer', status = 0, ...facts }) {
    const next = 'present the same payment again with get(path, { payment }), do not sign another';
    const message = `${reason}; the payment is not decided yet: ${next}`;
    return new TollbookError(message, { kind: 'undecided', status, ...facts });
}
function sleep(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, ms);
        signal?.addEventListener('abort', stop, { once: true });
    });
}
