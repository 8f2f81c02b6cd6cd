/** `/price/{token}` as Hono and Express write it: `/price/:token`. */
export const toColon = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
