/** Who we are, for every envelope, document and log. The package carries the version of the API it serves. */
export const SERVICE = { name: 'Tollbook', version: '2.0.0' } as const
