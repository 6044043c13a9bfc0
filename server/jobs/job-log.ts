export interface JobLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}
