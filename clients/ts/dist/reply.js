import { TollbookError } from "./tollbook-error.js";
import { fromBase64 } from "./x402.js";
/** Throws where the body is no JSON or was cut off. */
export async function readBought(reply) {
    const data = (await reply.json());
    const encoded = reply.headers.get('payment-response');
    return {
        data,
        settlement: encoded ? fromBase64(encoded) : undefined,
        contentDigest: reply.headers.get('content-digest') ?? undefined,
    };
}
/** Undefined where it is no JSON, as a proxy's own pages, or was cut off. */
export const bodyOf = (reply) => reply.json().catch(() => undefined);
/** A refusal that is final, in the service's own words. */
export async function failureOf(reply, payment) {
    const { status } = reply;
    const body = await bodyOf(reply);
    if (payment !== undefined && status === 402) {
        const next = 'no other one was signed; the next call signs anew';
        return new TollbookError(`the payment was refused: ${messageOf(body)}; ${next}`, {
            kind: 'refused',
            status,
            body,
        });
    }
    const retryAfterMs = findRetryAfterMs(reply);
    return new TollbookError(messageOf(body), { kind: 'failed', status, body, payment, retryAfterMs });
}
/** Seconds, or the date in the form of HTTP. */
export function findRetryAfterMs({ headers }) {
    const text = headers.get('retry-after')?.trim();
    if (!text)
        return undefined;
    const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
    return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
/** In plain words, whichever of the service's three forms it has. */
function messageOf(body) {
    const { error, detail, hint } = (body ?? {});
    const issues = Array.isArray(detail)
        ? detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ')
        : detail;
    const reason = [error, issues].filter(Boolean).join(': ') || 'refused without a reason';
    return [reason, hint].filter(Boolean).join('; ');
}
