/** Told when the client is made: later it would look as if nobody answered. */
export declare function checkBaseUrl(baseUrl: string): void;
/** Below the base address, also where that has a path of its own; never at another host, whatever the path begins with. */
export declare function addressOf(baseUrl: string, path: string): string;
/** With one name for this machine, which has several. */
export declare function originOf({ protocol, hostname, port }: URL): string;
