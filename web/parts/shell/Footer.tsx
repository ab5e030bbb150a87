import { Link } from 'react-router-dom';
import classes from './Footer.module.css';

/** Where the data stays, under every page. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <p>Your company’s data never leaves the UK and is never used to train third-party AI models.</p>
      <nav aria-label="Legal">
        <Link to="/privacy-policy">Privacy Policy</Link>
        <Link to="/terms-and-conditions">Terms and Conditions</Link>
      </nav>
    </footer>
  );
}
