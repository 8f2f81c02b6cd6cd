import { type Call } from './call.js';
import { type Bought } from './reply.js';
/** Presents one payment until it is decided or the patience ends. Nothing is signed here. */
export declare function present<T>(call: Call, url: string, payment: string): Promise<Bought<T>>;
