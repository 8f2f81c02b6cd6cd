// On every reply of the service, whatever it is: without it somebody in between has answered.
const OWN_HEADER = 'X-Tollbook-Mode'

/** @param {Response} reply */
export const isOwnReply = ({ headers }) => headers.has(OWN_HEADER)
