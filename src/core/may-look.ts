/** Asked before a source is, on behalf of somebody who has not paid yet; throws `rate_limited` where he may not look now. */
export type MayLook = () => void | Promise<void>
