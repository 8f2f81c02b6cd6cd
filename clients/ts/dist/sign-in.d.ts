export type SignInOptions = {
    baseUrl: string;
    /** How the service names itself where that is not `baseUrl`. */
    publicUrl?: string;
    /** As viem has them: signs texts as EIP-191. */
    account: {
        address: string;
        signMessage(text: {
            message: string;
        }): Promise<string>;
    };
    fetch?: typeof fetch;
};
export type SignedIn = {
    token: string;
    expiresInS: number;
    tier: string;
};
/** A token for `createTollbook`, for wallets that hold the project token. Moves no money. */
export declare function signIn(options: SignInOptions): Promise<SignedIn>;
