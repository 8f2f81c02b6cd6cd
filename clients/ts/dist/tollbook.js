import { addressOf, checkBaseUrl } from "./address.js";
import { createBounds } from "./bounds.js";
import { aborted, elsewhere, signalOf } from "./call.js";
import { present } from "./present.js";
import { bodyOf, failureOf, readBought } from "./reply.js";
import { TollbookError } from "./tollbook-error.js";
import { fromBase64, toBase64 } from "./x402.js";
export { USDC } from "./bounds.js";
export { signIn } from "./sign-in.js";
export { TollbookError } from "./tollbook-error.js";
/** Longer than the service takes to hand on what a process had at work that died: about a minute. */
const PATIENCE_MS = 90_000;
/** The service waits 12 s for the chain at most. */
const REQUEST_MS = 30_000;
const PAYMENT = /^[\w+/=-]+$/;
const PURCHASE_ID = /^[\w-]{16,128}$/;
/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export function createTollbook(options) {
    const { baseUrl, wallet, token, patienceMs = PATIENCE_MS, requestMs = REQUEST_MS } = options;
    const { onStep = () => { } } = options;
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    checkBaseUrl(baseUrl);
    const bounds = createBounds(options);
    return {
        async get(path, { payment, maxPriceUsd, purchaseId, signal } = {}) {
            const call = { send: options.fetch ?? fetch, headers, requestMs, patienceMs, signal, onStep };
            const url = addressOf(baseUrl, path);
            refuseMalformed('payment', payment, PAYMENT);
            refuseMalformed('purchaseId', purchaseId, PURCHASE_ID);
            if (payment !== undefined)
                return present(call, url, payment);
            const first = await ask(call, url);
            if (first.status !== 402)
                return readUnpaid(call, first);
            const paidUrl = first.url || url;
            const terms = await readTerms(first);
            onStep({ step: 'challenge', paymentRequired: terms });
            const allowed = bounds.allow(terms, paidUrl, maxPriceUsd);
            if (!wallet)
                throw unpayable('this call must be paid for and no wallet was given', terms);
            const header = toBase64(named(await sign(call, wallet, allowed), purchaseId));
            onStep({ step: 'payment', header });
            return present(call, paidUrl, header);
        },
    };
}
function refuseMalformed(name, text, form) {
    if (text !== undefined && !form.test(text))
        throw new TypeError(`${name} does not have the form ${form}`);
}
/** The call before anything is signed. What another origin asks for is not paid. */
async function ask(call, url) {
    const { headers, requestMs, patienceMs } = call;
    const signal = signalOf(call, patienceMs);
    const reply = await call.send(url, { headers, signal }).catch((cause) => {
        if (call.signal?.aborted)
            throw aborted(call);
        const why = cause?.name === 'TimeoutError'
            ? `no answer within ${Math.min(requestMs, patienceMs) / 1000} s`
            : `nothing answers at ${url}`;
        throw new TollbookError(`${why}; nothing was signed`, { kind: 'unreachable', cause });
    });
    if (reply.url && new URL(reply.url).origin !== new URL(url).origin)
        throw new TollbookError(elsewhere(reply.url), { kind: 'redirected', status: reply.status });
    return reply;
}
async function readUnpaid(call, reply) {
    if (!reply.ok)
        throw await failureOf(reply);
    return readBought(reply).catch((cause) => {
        if (call.signal?.aborted)
            throw aborted(call);
        const { status } = reply;
        throw new TollbookError('the reply was cut off; nothing was signed', {
            kind: 'unreachable',
            status,
            cause,
        });
    });
}
const unpayable = (why, body) => new TollbookError(why, { kind: 'terms', status: 402, body });
async function readTerms(reply) {
    const body = await bodyOf(reply);
    const terms = fromBase64(reply.headers.get('payment-required') ?? '');
    const isReadable = terms?.x402Version === 2 && typeof terms.resource?.url === 'string' && Array.isArray(terms.accepts);
    if (!isReadable)
        throw unpayable('this 402 does not say how to pay, as x402 version 2 has it', body);
    return terms;
}
/** What the wallet throws is the caller's to see. Once they have aborted, what it still signs is sent nowhere. */
async function sign(call, wallet, terms) {
    const { signal } = call;
    if (!signal)
        return wallet.createPaymentPayload(terms);
    if (signal.aborted)
        throw aborted(call);
    let stop = () => { };
    const end = new Promise((_, reject) => {
        stop = () => reject(aborted(call));
        signal.addEventListener('abort', stop, { once: true });
    });
    try {
        return await Promise.race([end, wallet.createPaymentPayload(terms)]);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}
/** The x402 extension `payment-identifier`. No signature covers it, so it is added afterwards. */
function named(payload, id) {
    if (id === undefined)
        return payload;
    const { extensions } = payload;
    return { ...payload, extensions: { ...extensions, 'payment-identifier': { info: { id } } } };
}
