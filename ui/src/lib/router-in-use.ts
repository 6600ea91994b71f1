/**
 * An entry of the build that no page loads. It names all of React Router that pages may use, so
 * that the file of React and its router keeps its name, whichever of them do.
 */
export {
  BrowserRouter,
  Navigate,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
} from "react-router";
