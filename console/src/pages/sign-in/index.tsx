export { FirstRunPage } from './first-run.tsx';
export { ForgottenPasswordPage } from './forgot-password.tsx';
export { ResetPasswordPage } from './reset-password.tsx';
export { SignInPage } from './sign-in.tsx';
