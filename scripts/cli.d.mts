export declare const buildCli: (out?: string) => Promise<string>
