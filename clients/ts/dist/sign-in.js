import { addressOf, originOf } from "./address.js";
import { failureOf } from "./reply.js";
import { TollbookError } from "./tollbook-error.js";
const REQUEST_MS = 30_000;
/** A token for `createTollbook`, for wallets that hold the project token. Moves no money. */
export async function signIn(options) {
    const { baseUrl, publicUrl = baseUrl, account, fetch: send = fetch } = options;
    const request = async (path, init = {}) => {
        const signal = AbortSignal.timeout(REQUEST_MS);
        const reply = await send(addressOf(baseUrl, path), { ...init, redirect: 'error', signal });
        if (!reply.ok)
            throw await failureOf(reply);
        return (await reply.json());
    };
    const wallet = account.address;
    const { message, nonce } = await request(`/auth/challenge?wallet=${encodeURIComponent(wallet)}`);
    refuseForeign(message, new URL(publicUrl), wallet);
    const signature = await account.signMessage({ message });
    const body = JSON.stringify({ wallet, nonce, signature });
    const headers = { 'content-type': 'application/json' };
    const made = await request('/auth/verify', { method: 'POST', headers, body });
    return { token: made.token, expiresInS: made.expires_in, tier: made.tier };
}
/** Who signed a text of another site would let this one in there. */
function refuseForeign(message, own, wallet) {
    const [, domain = '', named] = /^(\S+) wants you to sign in [^\n]*\n(\S+)\n/.exec(message) ?? [];
    const address = `${own.protocol}//${domain}`;
    const isOwn = URL.canParse(address) && originOf(new URL(address)) === originOf(own);
    if (isOwn && named?.toLowerCase() === wallet.toLowerCase())
        return;
    const why = `the text is not for ${own.host} and ${wallet}; if the service names itself otherwise, pass publicUrl`;
    throw new TollbookError(`nothing was signed: ${why}`, { kind: 'terms', body: message });
}
