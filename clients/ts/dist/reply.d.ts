import { TollbookError } from './tollbook-error.js';
import { type Settlement } from './x402.js';
/** What a call brought back: the data, and how it was paid for (undefined for a free call). */
export type Bought<T> = {
    data: T;
    settlement: Settlement | undefined;
    contentDigest: string | undefined;
};
/** Throws where the body is no JSON or was cut off. */
export declare function readBought<T>(reply: Response): Promise<Bought<T>>;
/** Undefined where it is no JSON, as a proxy's own pages, or was cut off. */
export declare const bodyOf: (reply: Response) => Promise<unknown>;
/** A refusal that is final, in the service's own words. */
export declare function failureOf(reply: Response, payment?: string): Promise<TollbookError>;
/** Seconds, or the date in the form of HTTP. */
export declare function findRetryAfterMs({ headers }: Response): number | undefined;
