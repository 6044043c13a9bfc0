import type { Config } from './config.ts';
import type { Context } from './context.ts';

export interface DemoCredentials {
  organizationId: string;
  login: string;
  password: string;
  apiKey: string;
}

export const makeDemo = async (_context: Context, _say: (line: string) => void): Promise<DemoCredentials | undefined> =>
  undefined;

export const describeInstallation = ({
  url,
}: {
  url: string;
  config: Config;
  operatorToken: string;
  demo: DemoCredentials | undefined;
}): string[] => [url];
