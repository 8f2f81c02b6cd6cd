/** Below the base address, also where that has a path of its own; never at another host, whatever the path begins with. */
export declare function addressOf(baseUrl: string, path: string): string;
